package corfu.objects.serial;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;

/** The declared type of a field that holds such a value in the log. */
record InLogOf(Type value) implements ParameterizedType {

  @Override
  public Type[] getActualTypeArguments() {
    return new Type[] {value};
  }

  @Override
  public Type getRawType() {
    return InLog.class;
  }

  @Override
  public @Nullable Type getOwnerType() {
    return null;
  }

  @Override
  public String toString() {
    return "InLog<" + value.getTypeName() + ">";
  }
}
