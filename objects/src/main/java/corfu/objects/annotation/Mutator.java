package corfu.objects.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The method changes the object and tells its caller nothing: it is {@code void}. A call returns
 * when the change is durable. The client need not apply the change first, so a writer need not
 * read. A change that throws when it is applied leaves the object as it was, everywhere. The call
 * has returned by then, so the client reports the exception through {@code
 * ObjectOptions.onFailure}. If the caller has to know, make the method a {@link MutatorAccessor},
 * which may be {@code void}, too.
 *
 * <p>Each view of the object runs the method, and the method must do the same everywhere. It must
 * not read a clock or draw random numbers. It must not depend on the order of a {@code HashMap} or
 * on an identity hash. It may depend on the object and the arguments only.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Mutator {

  /**
   * The operation's name in the log. If it is empty, the name is the method's name and the simple
   * names of its parameters' types, as in {@code put(Object,Object)}. Clients must understand a
   * name in the log for as long as the log is kept: if you rename the method, give the old name
   * here.
   */
  String value() default "";
}
