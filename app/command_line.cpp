// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/command_line.h"

#include "app/commands/bench_command.h"
#include "app/commands/data_command.h"
#include "app/commands/devices_command.h"
#include "app/commands/run_command.h"
#include "app/devices/gpu_plugin.h"
#include "app/devices/gpu_probe.h"
#include "app/terminal/exit_status.h"
#include "app/terminal/standard_streams.h"
#include "app/terminal/usage_error.h"
#include "app/version.h"
#include "app/window.h"
#include "core/exchange/output_file.h"

#include <CLI/CLI.hpp>

#include <functional>
#include <new>
#include <stdexcept>

namespace fullbatch {

namespace {

constexpr const char* description =
    "A workbench for full-batch gradient descent. Without a command it opens its window.";

constexpr const char* exitStatusText =
    "Exit status: 0 done, 1 failed or diverged, 2 wrong usage, 130 interrupted (after writing "
    "what there is).";

constexpr const char* measuredText =
    "With full batch the curve is measured before each epoch's update, so epoch 0 is the untrained "
    "network; with mini-batches over all rows after each epoch.";

/// The presets and their runs, each of which can be asked for by its name.
std::string presetText()
{
    std::string text = "Presets and their runs:";
    for (const Preset& preset : builtInPresets()) {
        text += "\n  " + preset.id + ": " + preset.title;
        std::string runs;
        for (const RunSpec& run : preset.runs)
            runs += (runs.empty() ? "" : ", ") + run.name;
        text += "\n      " + runs;
    }
    return text + "\n" + measuredText;
}

/// The commands and their options.
struct CommandLine
{
    CommandLine()
    {
        program.set_version_flag("--version", std::string("fullbatch ") + versionText);
        program.require_subcommand(0, 1);
        program.footer(exitStatusText);
        run.addTo(*runApp);
        runApp->footer(presetText() + "\n" + exitStatusText);
        data.addTo(*dataApp);
        devices.addTo(*devicesApp);
        bench.addTo(*benchApp);
        gpuReportApp->group(""); // for the program itself, so help does not show it
    }

    [[nodiscard]] std::string name() const
    {
        const auto chosen = program.get_subcommands();
        return chosen.empty() ? "fullbatch" : "fullbatch " + chosen.front()->get_name();
    }

    CLI::App program{description, "fullbatch"};
    RunOptions run;
    DataOptions data;
    DevicesOptions devices;
    BenchOptions bench;
    CLI::App* runApp = program.add_subcommand("run", "Train a network");
    CLI::App* dataApp = program.add_subcommand("data", "Make, read or convert data");
    CLI::App* devicesApp =
        program.add_subcommand("devices", "What each engine is, or why it cannot be used");
    CLI::App* benchApp = program.add_subcommand("bench", "Time of an epoch on each usable engine");
    CLI::App* gpuReportApp = program.add_subcommand(gpuReportCommandName);
};

int runChosen(const CommandLine& line, int argc, char** argv)
{
    if (line.runApp->parsed())
        return runCommand(line.run);
    if (line.dataApp->parsed())
        return dataCommand(line.data);
    if (line.devicesApp->parsed())
        return devicesCommand(line.devices);
    if (line.benchApp->parsed())
        return benchCommand(line.bench);
    if (line.gpuReportApp->parsed())
        writeGpuReport();
    return openWindow(argc, argv);
}

int fail(const std::string& name, const std::string& sentence, int status)
{
    printError(name + ": " + sentence);
    return status;
}

int parse(CommandLine& line, int argc, char** argv)
{
    try {
        line.program.parse(argc, argv);
        return ExitDone;
    } catch (const CLI::Success& wanted) { // --help or --version
        return line.program.exit(wanted) == 0 ? -1 : ExitFailed;
    } catch (const CLI::ParseError& error) {
        return fail(line.name(),
                    std::string(error.what()) + "; " + line.name()
                        + " --help lists what is allowed.",
                    ExitWrongUsage);
    }
}

} // namespace

int runProgram(int argc, char** argv)
{
    CommandLine line;
    if (const int status = parse(line, argc, argv); status != ExitDone)
        return std::max(status, 0);
    const std::string name = line.name();
    numberGpusByBus();
    try {
        return runChosen(line, argc, argv);
    } catch (const UsageError& error) {
        return fail(name, error.what(), ExitWrongUsage);
    } catch (const DataError& error) {
        return fail(name, std::string("--data: ") + error.what(), ExitWrongUsage);
    } catch (const OutputError& error) {
        return fail(name, error.what(), ExitFailed);
    } catch (const std::bad_alloc&) {
        return fail(name, "There is not enough memory for this.", ExitFailed);
    } catch (const std::exception& error) {
        return fail(name, error.what(), ExitFailed);
    }
}

} // namespace fullbatch
