// SPDX-License-Identifier: Apache-2.0
#include "data/npy.hpp"

#include <sstream>

#include <zip.h>

namespace tlaloc::data {
namespace {

using Archive = std::unique_ptr<zip_t, decltype(&zip_discard)>;

Archive open_archive(const std::filesystem::path& path, int flags) {
  int code = 0;
  Archive archive(zip_open(path.c_str(), flags, &code), zip_discard);
  if (archive) return archive;
  zip_error_t error;
  zip_error_init_with_code(&error, code);
  const std::string why = zip_error_strerror(&error);
  zip_error_fini(&error);
  throw Error(flags & ZIP_CREATE ? "CANNOT_WRITE" : code == ZIP_ER_NOZIP || code == ZIP_ER_INCONS ? "MALFORMED_FILE" : "CANNOT_READ",
              path.string(), why);
}

Bytes read_member(zip_t* archive, zip_uint64_t index, const zip_stat_t& s, const std::string& name) {
  auto fail = [&](const std::string& why) { throw Error("MALFORMED_FILE", name, why); };
  constexpr zip_uint64_t needed = ZIP_STAT_NAME | ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE;
  if ((s.valid & needed) != needed) fail("its zip entry is incomplete");
  // Deflate makes at most 1032 bytes out of one: what claims more would only take memory.
  if (s.size / 1032 > s.comp_size) fail("claims more bytes than it can hold");
  const std::unique_ptr<zip_file_t, decltype(&zip_fclose)> member(zip_fopen_index(archive, index, 0), zip_fclose);
  if (!member) fail(zip_strerror(archive));
  // An array's memory is aligned as every dtype needs it.
  const ir::Array memory(ir::Type{ir::DType::u8, {std::int64_t(s.size)}});
  zip_uint64_t have = 0;
  while (have < s.size) {
    const auto n = zip_fread(member.get(), memory.bytes.get() + have, s.size - have);
    if (n <= 0) fail(std::string("is cut off or damaged: ") + zip_file_strerror(member.get()));
    have += zip_uint64_t(n);
  }
  std::byte more;
  // The check sum is looked at where the end is read.
  if (zip_fread(member.get(), &more, 1) != 0) fail(std::string("is damaged: ") + zip_file_strerror(member.get()));
  return {memory.bytes, s.size};
}

}  // namespace

Arrays load_npz(const std::filesystem::path& path) {
  const Archive archive = open_archive(path, ZIP_RDONLY | ZIP_CHECKCONS);
  Arrays out;
  const auto count = zip_get_num_entries(archive.get(), 0);
  for (zip_int64_t i = 0; i < count; ++i) {
    zip_stat_t s;
    if (zip_stat_index(archive.get(), zip_uint64_t(i), 0, &s) != 0) throw Error("MALFORMED_FILE", path.string(), zip_strerror(archive.get()));
    std::string member = s.name;
    const std::string name = path.string() + "(" + member + ")";
    if (!member.ends_with(".npy")) throw Error("MALFORMED_FILE", name, "is no .npy file");
    member.resize(member.size() - 4);
    ir::Array a = read_npy(read_member(archive.get(), zip_uint64_t(i), s, name), name);
    if (!out.emplace(member, std::move(a)).second) throw Error("MALFORMED_FILE", name, "stands there twice");
  }
  return out;
}

void save_npz(const std::filesystem::path& path, const Arrays& arrays, bool compressed) {
  std::map<std::string, std::string> members;     // must live until the archive is closed
  for (auto& [name, a] : arrays) {
    std::ostringstream bytes;
    write_npy(bytes, a, path.string() + "(" + name + ")");
    members[name + ".npy"] = std::move(bytes).str();
  }
  Archive archive = open_archive(path, ZIP_CREATE | ZIP_TRUNCATE);
  auto fail = [&] { throw Error("CANNOT_WRITE", path.string(), zip_strerror(archive.get())); };
  for (auto& [name, bytes] : members) {
    zip_source_t* source = zip_source_buffer(archive.get(), bytes.data(), bytes.size(), 0);
    const auto index = source ? zip_file_add(archive.get(), name.c_str(), source, ZIP_FL_ENC_UTF_8) : -1;
    if (index < 0) {
      zip_source_free(source);
      fail();
    }
    if (zip_set_file_compression(archive.get(), zip_uint64_t(index), compressed ? ZIP_CM_DEFLATE : ZIP_CM_STORE, 0) != 0) fail();
  }
  if (zip_close(archive.get()) != 0) fail();
  archive.release();                              // closed is freed
}

}  // namespace tlaloc::data
