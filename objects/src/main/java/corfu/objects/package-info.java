/**
 * Replicated objects (dissertation, chapter 5): plain Java objects whose changes are entries of a
 * stream, and whose state is what comes of playing them.
 *
 * <p>Enter at {@link ReplicatedObjects}. A {@code View} plays a stream into a {@code State}; a
 * {@code Transaction} reads states at one log address and writes one entry. {@code Tails} lets all
 * who ask for the end of the log at the same time share one question.
 */
@NullMarked
package corfu.objects;

import org.jspecify.annotations.NullMarked;
