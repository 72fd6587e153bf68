/**
 * The {@code corfu} command.
 *
 * <p>Enter at {@link corfu.cli.Main}; {@code RootCommand} registers the subcommands. Each group of
 * them has a package of its own, where each command is a class.
 */
@NullMarked
package corfu.cli;

import org.jspecify.annotations.NullMarked;
