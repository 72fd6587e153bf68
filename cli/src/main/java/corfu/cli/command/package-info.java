/**
 * The common parts of all commands: exit codes, failures as messages, logging, and groups of
 * subcommands.
 *
 * <p>{@link Failures} turns exceptions into messages and {@link ExitCode}s; a command that cannot
 * continue throws a {@link CommandException}.
 */
@NullMarked
package corfu.cli.command;

import org.jspecify.annotations.NullMarked;
