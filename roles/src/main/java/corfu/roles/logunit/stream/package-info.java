/**
 * The state of streams that is only in memory: {@code Followers} receive new entries, and {@code
 * Confirmed} holds the entries that are in all of their registers.
 */
@NullMarked
package corfu.roles.logunit.stream;

import org.jspecify.annotations.NullMarked;
