/**
 * What the runtime of objects has to know of a class: the same whether a compiler's plug-in, a
 * generator at run time or a person wrote it.
 *
 * <p>Enter at {@link ObjectType}.
 */
@NullMarked
package corfu.objects.type;

import org.jspecify.annotations.NullMarked;
