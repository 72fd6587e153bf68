/**
 * The rules for classes of replicated objects, as far as signatures show whether a class keeps
 * them. The rules see a sketch of the class. The compiler's plug-in makes the sketch from its model
 * of the source; the generator at run time makes it from the class. So both report the same
 * findings in the same words.
 *
 * <p>Enter at {@link ClassRules}. Nothing here needs more than the JDK.
 */
@NullMarked
package corfu.objects.rule;

import org.jspecify.annotations.NullMarked;
