/**
 * Objects that are made of objects (dissertation, section 5.4): each part has a stream of its own,
 * so that it is small, is played only by those who need it, and conflicts with no other.
 *
 * <p>Enter at {@link corfu.objects.composed.ComposedMap}, {@link
 * corfu.objects.composed.ComposedTree}; to compose one's own, at {@link
 * corfu.objects.composed.ComposedObject}. Why: docs/decisions/0017-composed-objects.md.
 */
@NullMarked
package corfu.objects.composed;

import org.jspecify.annotations.NullMarked;
