/**
 * The buffer of a mount that writes back: data waits in memory, and reaches the log in large
 * entries. Enter at {@link corfu.silver.writeback.WriteBack}.
 */
@NullMarked
package corfu.silver.writeback;

import org.jspecify.annotations.NullMarked;
