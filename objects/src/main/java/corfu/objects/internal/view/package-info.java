/**
 * A client's view of an object. Calls read a {@code View}, and change the object by its {@code
 * ChangeAppender}. The view's {@code Player} plays the object's stream into a state. {@code
 * UpdateResolver} says what each entry does to the state, and {@code TypeCheck} whether the object
 * is of the view's type. Players know the view as a {@code PlayedObject}.
 */
@NullMarked
package corfu.objects.internal.view;

import org.jspecify.annotations.NullMarked;
