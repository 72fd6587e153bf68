/**
 * {@code corfu object} and {@code corfu shell}: replicated objects from the command line.
 *
 * <p>Enter at {@link ObjectCommand} and {@link ShellCommand}. The shell's language is in {@code
 * corfu.cli.shell}.
 */
@NullMarked
package corfu.cli.object;

import org.jspecify.annotations.NullMarked;
