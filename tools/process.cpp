// SPDX-License-Identifier: Apache-2.0
#include "process.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace tlaloc::tools {
namespace {

std::vector<char*> pointers(const Command& command) {
  std::vector<char*> out;
  for (auto& word : command) out.push_back(const_cast<char*>(word.c_str()));
  out.push_back(nullptr);
  return out;
}

[[noreturn]] void cannot(const std::string& what, const Command& command, int error) {
  throw UsageError{what + " '" + command.front() + "': " + std::strerror(error)};
}

pid_t start(const Command& command, const posix_spawn_file_actions_t* streams) {
  pid_t child = 0;
  if (const int error = posix_spawnp(&child, command.front().c_str(), streams, nullptr, pointers(command).data(), environ))
    cannot("cannot run", command, error);
  return child;
}

int wait_for(pid_t child, const Command& command) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) cannot("lost", command, errno);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

int run(const Command& command) { return wait_for(start(command, nullptr), command); }

std::string output_of(const Command& command) {
  int ends[2];
  if (pipe(ends) != 0) cannot("no pipe for", command, errno);
  posix_spawn_file_actions_t streams;
  posix_spawn_file_actions_init(&streams);
  posix_spawn_file_actions_adddup2(&streams, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addclose(&streams, ends[0]);
  posix_spawn_file_actions_addclose(&streams, ends[1]);
  pid_t child = 0;
  try {
    child = start(command, &streams);
  } catch (const UsageError&) {
    posix_spawn_file_actions_destroy(&streams);
    close(ends[0]), close(ends[1]);
    throw;
  }
  posix_spawn_file_actions_destroy(&streams);
  close(ends[1]);
  std::string out;
  std::array<char, 4096> part{};
  for (ssize_t n = 0; (n = read(ends[0], part.data(), part.size())) > 0 || (n < 0 && errno == EINTR);)
    if (n > 0) out.append(part.data(), std::size_t(n));
  close(ends[0]);
  if (const int status = wait_for(child, command))
    throw UsageError{"'" + command.front() + "' failed with exit code " + std::to_string(status)};
  return out;
}

void become(const Command& command) {
  execvp(command.front().c_str(), pointers(command).data());
  cannot("cannot run", command, errno);
}

}  // namespace tlaloc::tools
