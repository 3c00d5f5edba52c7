// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cuda_emulation/control.h"
#include "tests/cuda_emulation/device_work.h"

#include <cstdio>
#include <mutex>
#include <unistd.h>
#include <utility>

namespace fullbatch::emulation {
namespace {

/// Ends the process badly when nobody took the sentences: a test that does not ask must not pass.
class Notes
{
public:
    ~Notes()
    {
        if (m_sentences.empty())
            return;
        std::fputs("CUDA emulation: broken rules were noted and no test took them.\n", stderr);
        std::fflush(nullptr);
        _exit(70);
    }

    void add(const std::string& sentence)
    {
        const std::lock_guard lock(m_mutex);
        std::fprintf(stderr, "CUDA emulation: %s\n", sentence.c_str());
        m_sentences.push_back(sentence);
    }

    std::vector<std::string> take()
    {
        const std::lock_guard lock(m_mutex);
        return std::exchange(m_sentences, {});
    }

private:
    std::mutex m_mutex;
    std::vector<std::string> m_sentences;
};

Notes notes;

} // namespace

void noteBrokenRule(const std::string& sentence)
{
    notes.add(sentence);
}

std::vector<std::string> brokenRules()
{
    return notes.take();
}

} // namespace fullbatch::emulation
