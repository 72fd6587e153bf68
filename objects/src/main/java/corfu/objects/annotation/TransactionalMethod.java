package corfu.objects.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The method works on objects through their own operations, and does so in a transaction: in the
 * caller's if there is one, otherwise in one of its own, tried again a few times if another one
 * wins. It is not written to the log itself, and runs with its caller.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface TransactionalMethod {

  /** It changes nothing: then it never has to be tried again. */
  boolean readOnly() default false;
}
