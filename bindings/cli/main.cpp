// The program `dermis`: its options, and what each command does with them.
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "bindings/cli/bench.h"
#include "bindings/cli/exit_code.h"
#include "bindings/cli/info.h"
#include "bindings/cli/run.h"
#include "host/params/path.h"

namespace dermis::cli {

namespace {

constexpr char kExamples[] = R"(
Examples
  dermis run scene.mochi_scene                                  1 s in steps of 1/60 s; writes nothing
  dermis run scene.mochi_scene --steps 240 --dt 1/120 --out out/a
  dermis run scene.mochi_scene --out out/b --record trajectory,vtk --every 10
  dermis run scene.mochi_scene --threads 2 --record hash        prints a hash of the final state
  dermis bench beam --size m                                    one line of JSON

Exit codes
  0 it ran; 1 the scene, an option or a file is wrong; 2 a defect of Dermis; 3 a step did not converge under --strict;
  130 interrupted by Ctrl-C (143 by SIGTERM): the step in progress was done, and the files are complete
)";

// Values are taken as text and checked together later, so that all problems are reported at once.
void DeclareRun(CLI::App& app, RunArguments& a) {
  app.add_option("SCENE", a.scene, "A .mochi_scene file")->required();
  app.add_option("--steps", a.steps, "Number of steps; default: 1 s of them")->type_name("N");
  app.add_option("--dt", a.dt, "Time step [s], up to 10; also as a quotient; default: 1/60")->type_name("S");
  app.add_option("--backend", a.backend, "cpu, cuda, or the name of one build as `dermis info` lists them")
      ->type_name("B");
  app.add_option("--threads", a.threads, "CPU threads; default: 1. The result does not depend on it")->type_name("N");
  app.add_option("--integration", a.integration, "BackwardEuler or BDF2; default: the scene's")->type_name("M");
  app.add_option(
         "--tolerance", a.tolerance,
         "A step has converged when Newton's method moves no point by more [m]; default: 1e-5 of the actor's size")
      ->type_name("M");
  app.add_flag("--strict", a.strict, "Stop at the first step that does not converge, with exit code 3");
  app.add_flag("--fix-constrained-nodes", a.fixConstrainedNodes,
               "Hold the constrained nodes of stand-alone soft actors at their rest position");
  app.add_flag("--no-contact", a.noContact, "Leave out contact, even where the scene asks for it");
  app.add_option("--out", a.out, "Folder to write to")->type_name("DIR");
  app.add_flag("--force", a.force, "Replace what an earlier run wrote to DIR; other files there stay");
  app.add_option(
         "--record", a.record,
         "What to write: trajectory (trajectory.json), csv (energies.csv), vtk (vtk/*.pvd), hash (prints a line); "
         "default: trajectory,csv with --out")
      ->type_name("KIND,...");
  app.add_option("--every", a.every, "Record every N-th step only; default: 1")->type_name("N");
  app.add_option("--root", a.root, "Folder of shapes whose path does not start with ./; default: the scene's")
      ->type_name("DIR");
}

void DeclareBench(CLI::App& app, BenchArguments& a) {
  app.add_option("SCENE", a.scene, "pendulum, elastic_skin, beam, or a .mochi_scene file")->required();
  app.add_option("--size", a.size, "Of the beam: s, m or l")->type_name("SIZE");
  app.add_option("--steps", a.steps, "Number of steps")->type_name("N");
  app.add_option("--dt", a.dt, "Time step [s]")->type_name("S");
  app.add_option("--threads", a.threads, "CPU threads; default: 1")->type_name("N");
  app.add_option("--backend", a.backend, "cpu, cuda, or the name of one build")->type_name("B");
  app.add_option("--tolerance", a.tolerance, "As of `dermis run` [m]")->type_name("M");
}

// What CLI11 says; what it did not expect is put in our own words, with a guess at what was meant.
int ReportUsage(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App* command = app.get_subcommands().empty() ? &app : app.get_subcommands().front();
  const bool isNamed = command != &app;
  DynamicArray<String> known;
  for (const CLI::Option* option : command->get_options())
    for (const String& name : option->get_lnames()) known.push_back("--" + name);
  for (const CLI::App* each : command->get_subcommands([](const CLI::App*) { return true; }))
    known.push_back(each->get_name());

  String text;
  for (const String& word : command->remaining()) {
    const String guess = DidYouMean(word.substr(0, word.find('=')), known);
    if (text.empty() || !guess.empty())
      text = fmt::format("unknown {} \"{}\"{}",
                         word.starts_with("-") ? "option"
                         : isNamed             ? "argument"
                                               : "command",
                         word, guess);
  }
  if (text.empty()) text = isNamed ? error.what() : "a command is needed";
  if (text.ends_with("missing")) text = text.substr(0, text.find(':')) + ": a value is missing";
  if (!isNamed && text.find("; did you mean") == String::npos) text += "; there are run, info and bench";
  const String name = isNamed ? "dermis " + command->get_name() : "dermis";
  fmt::print(stderr, "dermis: {}\n{} --help tells how to use it.\n", text, name);
  return kUserError;
}

int Main(int argc, char** argv) {
  CLI::App app{"Simulates soft-skinned actors.", "dermis"};
  app.footer(kExamples);
  app.set_version_flag("--version", VersionText());
  app.require_subcommand(1);
  RunArguments run;
  BenchArguments bench;
  CLI::App* runCommand = app.add_subcommand("run", "Advance a scene and record it");
  CLI::App* infoCommand = app.add_subcommand("info", "What this build is, and what it can run on here");
  CLI::App* benchCommand = app.add_subcommand("bench", "Time the steps of a scene; prints one line of JSON");
  DeclareRun(*runCommand, run);
  DeclareBench(*benchCommand, bench);
  runCommand->footer(kExamples);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {
    return app.exit(success);
  } catch (const CLI::ParseError& error) {
    return ReportUsage(app, error);
  }
  if (infoCommand->parsed()) return Info();
  if (benchCommand->parsed()) return Bench(bench);
  return Run(run);
}

}  // namespace

}  // namespace dermis::cli

int main(int argc, char** argv) {
  try {
    return dermis::cli::Main(argc, argv);
  } catch (const std::exception& exception) {
    fmt::print(
        stderr,
        "dermis: internal error: {}\nThis is a defect of Dermis. Please report it with this message, the command "
        "line, the scene file and the output of dermis info.\n",
        exception.what());
  } catch (...) {
    fmt::print(
        stderr,
        "dermis: internal error of an unknown kind. Please report it with the command line and the scene file.\n");
  }
  return dermis::cli::kInternalError;
}
