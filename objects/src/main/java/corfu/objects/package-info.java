/**
 * Replicated objects (dissertation, chapter 5): plain Java objects whose changes are entries of a
 * stream, and whose state is what comes of playing them.
 *
 * <p>Enter at {@link corfu.objects.ReplicatedObjects}. Applications see this package, its options
 * and exceptions, {@link corfu.objects.annotation}, {@link corfu.objects.collection} and {@link
 * corfu.objects.composed}. Below, {@link corfu.objects.internal.view} plays a stream into a {@link
 * corfu.objects.internal.state}; a {@link corfu.objects.internal.transaction} reads states at one
 * log address and writes one entry.
 */
@NullMarked
package corfu.objects;

import org.jspecify.annotations.NullMarked;
