/**
 * The state that streams need in memory alone: {@code Followers} are told of new entries, {@code
 * Confirmed} are the entries that all of their registers hold.
 */
@NullMarked
package corfu.roles.logunit.stream;

import org.jspecify.annotations.NullMarked;
