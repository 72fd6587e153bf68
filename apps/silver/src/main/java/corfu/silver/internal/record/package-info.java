/** The entries of the streams of files and directories. */
@NullMarked
package corfu.silver.internal.record;

import org.jspecify.annotations.NullMarked;
