/**
 * How long appends pause when server processes are killed one after the other. {@link
 * corfu.proof.kill.RandomKillsTest} measures it.
 */
@NullMarked
package corfu.proof.kill;

import org.jspecify.annotations.NullMarked;
