/**
 * The {@code corfu} command and its subcommands.
 *
 * <p>Enter at {@link corfu.cli.Main}; {@code Commands} lists the subcommands, each a class of its
 * own. {@code Failures} turns exceptions into messages and {@code ExitCode}s, {@code Output} writes
 * for people or for scripts.
 */
@NullMarked
package corfu.cli;

import org.jspecify.annotations.NullMarked;
