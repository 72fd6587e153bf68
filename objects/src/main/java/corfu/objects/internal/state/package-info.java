/**
 * The state of an object. One thread changes it, entry after entry; many threads read it. {@code
 * PersistentState} keeps old versions for as long as {@code Pins} say that a thread reads them.
 * {@code PlainState} is a class that is changed in place.
 */
@NullMarked
package corfu.objects.internal.state;

import org.jspecify.annotations.NullMarked;
