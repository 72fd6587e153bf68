/**
 * Makes object types of annotated classes at run time: finds their operations, and generates what
 * users hold in their place. Reflection is used while a type is made, never while it is called.
 *
 * <p>Enter at {@link ObjectTypes}.
 */
@NullMarked
package corfu.objects.generated;

import org.jspecify.annotations.NullMarked;
