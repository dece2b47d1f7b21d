// SPDX-License-Identifier: Apache-2.0
#include "runtime/process.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace tlaloc::runtime {
namespace {

std::vector<char*> pointers(const Command& command) {
  std::vector<char*> out;
  for (auto& word : command) out.push_back(const_cast<char*>(word.c_str()));
  out.push_back(nullptr);
  return out;
}

[[noreturn]] void cannot(const std::string& what, const Command& command, int error) {
  throw ProcessError(what + " '" + command.front() + "': " + std::strerror(error));
}

/// Where a child's streams go.
struct Streams {
  posix_spawn_file_actions_t actions;
  Streams() { posix_spawn_file_actions_init(&actions); }
  Streams(const Streams&) = delete;
  Streams& operator=(const Streams&) = delete;
  ~Streams() { posix_spawn_file_actions_destroy(&actions); }
};

pid_t start(const Command& command, const Streams& streams) {
  pid_t child = 0;
  if (const int error = posix_spawnp(&child, command.front().c_str(), &streams.actions, nullptr, pointers(command).data(), environ))
    cannot("cannot run", command, error);
  return child;
}

Ended wait_for(pid_t child, const Command& command) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) cannot("lost", command, errno);
  return WIFEXITED(status) ? Ended{WEXITSTATUS(status), 0} : Ended{0, WTERMSIG(status)};
}

}  // namespace

Ended run(const Command& command, const std::filesystem::path& log) {
  Streams streams;
  if (!log.empty()) {
    posix_spawn_file_actions_addopen(&streams.actions, STDOUT_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&streams.actions, STDOUT_FILENO, STDERR_FILENO);
  }
  return wait_for(start(command, streams), command);
}

std::string output_of(const Command& command) {
  int ends[2];
  if (pipe(ends) != 0) cannot("no pipe for", command, errno);
  pid_t child = 0;
  try {
    Streams streams;
    posix_spawn_file_actions_adddup2(&streams.actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addclose(&streams.actions, ends[0]);
    posix_spawn_file_actions_addclose(&streams.actions, ends[1]);
    child = start(command, streams);
  } catch (const ProcessError&) {
    close(ends[0]), close(ends[1]);
    throw;
  }
  close(ends[1]);
  std::string out;
  std::array<char, 4096> part{};
  for (ssize_t n = 0; (n = read(ends[0], part.data(), part.size())) > 0 || (n < 0 && errno == EINTR);)
    if (n > 0) out.append(part.data(), std::size_t(n));
  close(ends[0]);
  if (const int status = wait_for(child, command).status())
    throw ProcessError("'" + command.front() + "' failed with exit code " + std::to_string(status));
  return out;
}

void become(const Command& command) {
  execvp(command.front().c_str(), pointers(command).data());
  cannot("cannot run", command, errno);
}

}  // namespace tlaloc::runtime
