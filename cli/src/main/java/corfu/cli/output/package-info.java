/**
 * The output of commands: results for people or for scripts, progress, and quantities.
 *
 * <p>Enter at {@link CommandOutput}. A {@link Terminal} holds the streams, and {@link
 * OutputOptions} the options of every command.
 */
@NullMarked
package corfu.cli.output;

import org.jspecify.annotations.NullMarked;
