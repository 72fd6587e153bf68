/**
 * Corfu-Store: a key-value store over the log (CORFU, section 4). Values are in the log; whoever
 * uses the store has an index in memory that says where. A change of many keys is one entry, or one
 * behind the entries of its values: so it happens for everybody at one place, or not at all.
 *
 * <p>Enter at {@link KeyValueStore}. {@code StoreMachine} is the index as a replicated state
 * machine; {@code IndexCommand} what is written; {@code OrderedIndex} costs nothing to keep as it
 * was; {@code Values} fetches what it points at; {@code StoreCompaction} gives space back.
 */
@NullMarked
package corfu.store;

import org.jspecify.annotations.NullMarked;
