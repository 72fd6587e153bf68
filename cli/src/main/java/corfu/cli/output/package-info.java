/**
 * What commands print: results for people or for scripts, progress, and quantities.
 *
 * <p>Enter at {@link CommandOutput}. A {@link Terminal} holds the streams, {@link OutputOptions}
 * the options that every command has.
 */
@NullMarked
package corfu.cli.output;

import org.jspecify.annotations.NullMarked;
