/**
 * A client's view of an object. {@code View} is what calls read and change; its {@code Player}
 * plays the object's stream into a state, {@code UpdateResolver} says what each entry does to it,
 * and {@code TypeCheck} whether the object is of the view's type. All of them but the view know the
 * object as a {@code PlayedObject}.
 */
@NullMarked
package corfu.objects.internal.view;

import org.jspecify.annotations.NullMarked;
