/**
 * Arguments of commands, and their conversion from text.
 *
 * <p>{@link Converters} registers a converter for every type of arguments.
 */
@NullMarked
package corfu.cli.argument;

import org.jspecify.annotations.NullMarked;
