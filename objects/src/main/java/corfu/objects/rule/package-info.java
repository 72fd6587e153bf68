/**
 * What a class has to look like to be a replicated object, as far as its signatures tell. The rules
 * see a sketch of it, so that a compiler's plug-in, which has a model of the source, and a
 * generator at run time, which has the class, say the same in the same words.
 *
 * <p>Enter at {@link ClassRules}. Nothing here needs more than the JDK.
 */
@NullMarked
package corfu.objects.rule;

import org.jspecify.annotations.NullMarked;
