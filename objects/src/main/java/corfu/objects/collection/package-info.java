/**
 * Collections as replicated objects: Java's own interfaces, persistent structures inside, conflicts
 * per key.
 *
 * <p>A collection is three things: an annotated interface, a state behind it that holds one
 * persistent structure ({@link corfu.objects.collection.internal}), and an object type that says
 * how that is saved. Enter at {@link ReplicatedMap}.
 */
@NullMarked
package corfu.objects.collection;

import org.jspecify.annotations.NullMarked;
