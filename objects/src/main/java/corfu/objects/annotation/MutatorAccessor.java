package corfu.objects.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The method changes the object, and its caller waits for the outcome. The outcome is the method's
 * return value or exception at the change's place in the order of all changes. A change that throws
 * leaves the object as it was, everywhere. Like a {@link Mutator}, the method must do the same
 * everywhere.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface MutatorAccessor {

  /** The operation's name in the log; see {@link Mutator#value}. */
  String value() default "";
}
