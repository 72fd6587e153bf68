/**
 * The history of an object for people: which client made which change, and when. Reading the
 * history needs none of the classes that wrote it. Enter at {@link ObjectHistory}.
 */
@NullMarked
package corfu.objects.history;

import org.jspecify.annotations.NullMarked;
