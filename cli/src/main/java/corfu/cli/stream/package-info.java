/**
 * {@code corfu stream}: commands that append to streams, and read, follow, trim and inspect them.
 *
 * <p>Enter at {@link StreamCommand}.
 */
@NullMarked
package corfu.cli.stream;

import org.jspecify.annotations.NullMarked;
