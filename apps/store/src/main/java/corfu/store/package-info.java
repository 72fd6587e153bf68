/**
 * Corfu-Store: a key-value store over the log (CORFU, section 4). Values are in the log, and each
 * client has an index of their places in memory. A change of many keys is one entry, behind the
 * entries of its large values. So it happens at one place for all clients, or not at all.
 *
 * <p>Enter at {@link KeyValueStore}. {@code StoreMachine} is the index as a replicated state
 * machine; {@code IndexCommand} is the format of its commands, and {@code OrderedIndex} makes
 * snapshots cheap. {@code Values} fetches values from the log, and {@code StoreCompaction} frees
 * space.
 */
@NullMarked
package corfu.store;

import org.jspecify.annotations.NullMarked;
