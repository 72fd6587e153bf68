/** The {@code corfu} command and its subcommands. */
@NullMarked
package corfu.cli;

import org.jspecify.annotations.NullMarked;
