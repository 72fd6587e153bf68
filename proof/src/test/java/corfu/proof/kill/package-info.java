/**
 * Servers as processes that are killed one after the other while a client appends: how long appends
 * pause. {@link corfu.proof.kill.RandomKillsTest} measures it.
 */
@NullMarked
package corfu.proof.kill;

import org.jspecify.annotations.NullMarked;
