// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/devices/child_process.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <thread>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace fullbatch {

namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr std::size_t longestOutput = std::size_t{1} << 20U;
constexpr auto patienceAfterKill = 1s;

/// Both ends of a pipe; the child gets the writing end by a copy.
class Pipe
{
public:
    Pipe() { m_opened = pipe2(m_ends.data(), O_CLOEXEC) == 0; }
    ~Pipe()
    {
        closeWriting();
        if (m_opened)
            close(m_ends[0]);
    }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;

    [[nodiscard]] bool opened() const { return m_opened; }
    [[nodiscard]] int reading() const { return m_ends[0]; }
    [[nodiscard]] int writing() const { return m_ends[1]; }
    void closeWriting()
    {
        if (m_opened && m_ends[1] >= 0)
            close(m_ends[1]);
        m_ends[1] = -1;
    }

private:
    std::array<int, 2> m_ends = {-1, -1};
    bool m_opened = false;
};

/// Starts the child; returns an error number.
int spawn(pid_t& child, const std::filesystem::path& program,
          const std::vector<std::string>& arguments, const Pipe& pipe)
{
    std::vector<std::string> words = {program.string()};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    argv.reserve(words.size() + 1);
    for (std::string& word : words)
        argv.push_back(word.data());
    argv.push_back(nullptr);

    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&files, pipe.writing(), STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    // What this process ignores or blocks is no business of the child.
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t none;
    sigemptyset(&none);
    sigset_t pipeSignal;
    sigemptyset(&pipeSignal);
    sigaddset(&pipeSignal, SIGPIPE);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &pipeSignal);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    const int error =
        posix_spawn(&child, program.c_str(), &files, &attributes, argv.data(), environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    return error;
}

/// Reads until the other side is closed, the time is up or there is too much.
void readUntil(Clock::time_point deadline, int file, std::string& output)
{
    while (output.size() < longestOutput) {
        const auto left =
            std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
        pollfd reading = {file, POLLIN, 0};
        const int ready = left > 0 ? poll(&reading, 1, static_cast<int>(left)) : 0;
        if (ready < 0 && errno == EINTR)
            continue;
        if (ready <= 0)
            return;
        std::array<char, 4096> bytes{};
        const ssize_t count = read(file, bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return;
        output.append(bytes.data(), static_cast<std::size_t>(count));
    }
}

/// Whether the child has ended by then; `status` as from waitpid().
bool waitUntil(Clock::time_point deadline, pid_t child, int& status)
{
    for (auto pause = 1ms;; pause = std::min(2 * pause, 20ms)) {
        const pid_t ended = waitpid(child, &status, WNOHANG);
        if (ended == child)
            return true;
        if ((ended < 0 && errno != EINTR) || Clock::now() >= deadline)
            return false;
        std::this_thread::sleep_for(pause);
    }
}

} // namespace

ChildEnd runChild(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                  std::chrono::milliseconds limit)
{
    ChildEnd end;
    const Clock::time_point deadline = Clock::now() + limit;
    Pipe pipe;
    pid_t child = -1;
    const int error = pipe.opened() ? spawn(child, program, arguments, pipe) : errno;
    if (error != 0) {
        end.failure = std::strerror(error);
        return end;
    }
    pipe.closeWriting();
    readUntil(deadline, pipe.reading(), end.output);
    int status = 0;
    if (!waitUntil(deadline, child, status)) {
        end.timedOut = true;
        kill(child, SIGKILL);
        waitUntil(Clock::now() + patienceAfterKill, child, status);
        return end;
    }
    if (WIFEXITED(status))
        end.exitStatus = WEXITSTATUS(status);
    else if (WIFSIGNALED(status))
        end.signal = WTERMSIG(status);
    return end;
}

void endWithParent()
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    // A terminal sends these to every process in it; what they mean is the parent's to say.
    for (const int signal : {SIGINT, SIGHUP})
        std::signal(signal, SIG_IGN);
    const rlimit noCoreFile = {0, 0};
    setrlimit(RLIMIT_CORE, &noCoreFile);
}

} // namespace fullbatch
