/**
 * The annotation processor: says at the offending line what keeps a class from being a replicated
 * object, and leaves the class's object type beside it, so that nothing has to be made at run time.
 *
 * <p>Enter at {@link ObjectProcessor}. What is right and wrong is said by {@code
 * corfu.objects.rule}, as at run time; only what is inside of methods is seen here alone ({@code
 * ChanceWatch}).
 */
@NullMarked
package corfu.objects.processor;

import org.jspecify.annotations.NullMarked;
