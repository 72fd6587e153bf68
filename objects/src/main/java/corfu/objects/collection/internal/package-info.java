/**
 * Persistent structures behind the collections, and their parts that know no collection's
 * interface. {@code TrieMap} is behind maps and sets, {@code Sequence} behind lists, queues, stacks
 * and range maps. {@code CollectionType} is the object type of all of them.
 */
@NullMarked
package corfu.objects.collection.internal;

import org.jspecify.annotations.NullMarked;
