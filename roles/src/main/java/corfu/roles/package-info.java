/**
 * The servers' roles as deterministic state machines. Each lives in a room of its own; none knows
 * another, the network or the client.
 */
@NullMarked
package corfu.roles;

import org.jspecify.annotations.NullMarked;
