/**
 * Values that people type, and how text becomes them.
 *
 * <p>{@link Converters} registers every type of arguments.
 */
@NullMarked
package corfu.cli.argument;

import org.jspecify.annotations.NullMarked;
