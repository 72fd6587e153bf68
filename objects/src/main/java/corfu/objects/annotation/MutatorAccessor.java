package corfu.objects.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The method changes the object, and its caller waits for what comes of it: the value that it
 * returned, or the exception that it threw, where the change was ordered among all others. A change
 * that throws leaves the object as it was, everywhere. What {@link Mutator} says of sameness holds
 * here, too.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface MutatorAccessor {

  /** What the log calls it; see {@link Mutator#value}. */
  String value() default "";
}
