/**
 * The annotation processor. It reports at the offending line why a class can't be a replicated
 * object. It also generates the class's object type, so that nothing has to be generated at run
 * time.
 *
 * <p>Enter at {@link ObjectProcessor}. The rules are those of {@code corfu.objects.rule}, as at run
 * time. Only the processor checks the bodies of methods ({@code ChanceWatch}).
 */
@NullMarked
package corfu.objects.processor;

import org.jspecify.annotations.NullMarked;
