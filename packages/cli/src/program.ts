import { CommanderError, Command as Parser } from "commander";
import { COMMANDS } from "./commands/index.ts";
import { programVersion } from "./programVersion.ts";
import { colours } from "./terminal/colour.ts";
import type { Command, Entry, Parameter } from "./terminal/command.ts";
import { reportError } from "./terminal/errorReport.ts";
import { ExitCode, Interrupted } from "./terminal/exitCode.ts";
import type { Io } from "./terminal/io.ts";
import { aligned } from "./terminal/table.ts";

/** Width of help when no terminal reports one. */
const USUAL_COLUMNS = 80;

/** Runs one command line and returns the exit code; never throws. */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  let code: number = ExitCode.ok;
  const parser = parserOf(argv, io, (result) => {
    code = result;
  });
  try {
    if (argv.length === 0) parser.outputHelp();
    else await parser.parseAsync([...argv], { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError && isHelp(error)) return ExitCode.ok;
    if (error instanceof Interrupted) return ExitCode.interrupted;
    reportError(error, io, { json: argv.includes("--json") });
    code = ExitCode.failure;
  }
  return io.signal.aborted ? ExitCode.interrupted : code;
}

/** Help was requested, or a command group was named without a subcommand. */
function isHelp({ exitCode, code }: CommanderError): boolean {
  return exitCode === 0 || code === "commander.help";
}

function parserOf(argv: readonly string[], io: Io, done: (code: number) => void): Parser {
  const parser = new Parser("hookline");
  prepare(parser, io)
    .description("Hooks for AI agents: list, check, fire and trust them.")
    .version(programVersion(), "--version", "print the version")
    .helpCommand("help [command]", "show help for a command");
  const named = COMMANDS.filter(({ name }) => name === argv[0]);
  // The other commands are only needed for help and for suggesting a name after a typo.
  addCommands(parser, named.length > 0 ? named : COMMANDS, { argv, io, done });
  return parser;
}

interface CommandContext {
  readonly argv: readonly string[];
  readonly io: Io;
  readonly done: (code: number) => void;
}

function addCommands(parser: Parser, commands: readonly Entry[], { argv, io, done }: CommandContext): void {
  for (const command of commands) {
    // Inherits the settings of `prepare`.
    const child = parser.command(command.name, { hidden: command.hidden ?? false }).summary(command.summary);
    if ("commands" in command) {
      child.description(command.summary).helpCommand(false);
      addCommands(child, command.commands, { argv, io, done });
      continue;
    }
    for (const parameter of command.parameters) child.argument(spelling(parameter), parameter.description);
    // Other commands are only listed, and the list does not show options.
    if (argv.includes(command.name)) describe(child, command, { argv, io, done });
    if (!command.hidden) child.option("--json", "print JSON");
  }
}

function describe(child: Parser, command: Command, { io, done }: CommandContext): void {
  child.description([command.summary, command.details ?? ""].join("\n\n").trim());
  for (const { flags, description } of command.options) child.option(flags, description);
  if (!command.hidden) child.addHelpText("after", () => examples(command, io));
  child.action(async () =>
    done(await command.run(await withStateDir(io), { args: child.args, options: child.opts() })),
  );
}

/** Checked before a command runs: never read state from a folder that another user owns. */
async function withStateDir(io: Io): Promise<Io> {
  const given = io.env.HOOKLINE_STATE_DIR;
  if (!given) return io;
  const { checkedStateDir } = await import("./state/checkedStateDir.ts");
  return { ...io, stateDir: checkedStateDir(given, io.homeDir) };
}

function prepare(parser: Parser, io: Io): Parser {
  const { bold, cyan } = colours(io);
  return parser
    .exitOverride()
    .configureOutput({
      writeOut: io.stdout,
      writeErr: io.stdout,
      outputError: () => {},
      getOutHasColors: () => io.colour,
      getOutHelpWidth: () => io.columns ?? USUAL_COLUMNS,
    })
    .configureHelp({ styleTitle: bold, styleCommandText: cyan, styleSubcommandTerm: cyan, styleOptionTerm: cyan })
    .helpOption("-h, --help", "show help");
}

export function spelling({ name, required, many }: Parameter): string {
  const text = many ? `${name}...` : name;
  return required ? `<${text}>` : `[${text}]`;
}

function examples({ examples: list }: Command, io: Io): string {
  const { bold, dim } = colours(io);
  const rows = list.map(([command, meaning]) => [command, { text: meaning, style: dim }]);
  return `\n${bold("Examples:")}\n${aligned(rows, "  ").join("\n")}`;
}
