/**
 * The description of a class that the runtime of objects needs. The description is the same whether
 * a compiler's plug-in, a generator at run time or a person wrote it.
 *
 * <p>Enter at {@link ObjectType}.
 */
@NullMarked
package corfu.objects.type;

import org.jspecify.annotations.NullMarked;
