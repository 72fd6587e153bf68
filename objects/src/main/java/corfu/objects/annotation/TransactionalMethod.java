package corfu.objects.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The method works on objects through their own operations, in a transaction. If the caller has a
 * transaction, the method joins it. Otherwise the method runs in its own transaction, and is
 * retried a few times if that one conflicts with another one. The method itself is not written to
 * the log: it runs at its caller.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface TransactionalMethod {

  /** Whether the method changes nothing; if so, it never has to be retried. */
  boolean readOnly() default false;
}
