package corfu.objects.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The method reads the object and does not change it. A call sees every change that was complete
 * when it began, by whichever client. The result belongs to the caller: it is a copy, unless the
 * value is immutable.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Accessor {}
