/**
 * What all commands share: exit codes, failures as messages, logging, and groups of subcommands.
 *
 * <p>{@link Failures} turns exceptions into messages and {@link ExitCode}s; a command that cannot
 * go on throws a {@link CommandException}.
 */
@NullMarked
package corfu.cli.command;

import org.jspecify.annotations.NullMarked;
