package corfu.objects.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The method changes the object and tells its caller nothing: it is {@code void}. A call returns
 * when the change is durable, without being carried out here first: who writes need not read. A
 * change that throws when it is carried out leaves the object as it was, everywhere; its caller has
 * gone on by then, and is told through {@code ObjectOptions.onFailure}. Where the caller has to
 * know, make it a {@link MutatorAccessor}, which may be {@code void}, too.
 *
 * <p>The method is carried out wherever the object is viewed, and has to do the same everywhere: no
 * clock, no chance, nothing that depends on the order of a {@code HashMap}, on an identity hash, or
 * on anything but the object and the arguments.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Mutator {

  /**
   * What the log calls it. Empty: its name and the simple names of its parameters' types, as in
   * {@code put(Object,Object)}. A name in the log has to be understood for as long as the log is
   * kept: give it here when the method is renamed.
   */
  String value() default "";
}
