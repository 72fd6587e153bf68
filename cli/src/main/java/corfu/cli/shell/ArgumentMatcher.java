package corfu.cli.shell;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Converts typed values to arguments of declared types. */
final class ArgumentMatcher {

  /** Types whose values are typed as text, if a method declares them. */
  private static final Map<Class<?>, Function<String, Object>> BY_TEXT =
      Map.of(
          UUID.class, UUID::fromString,
          Instant.class, Instant::parse,
          Duration.class, Duration::parse,
          LocalDate.class, LocalDate::parse,
          BigInteger.class, BigInteger::new,
          BigDecimal.class, BigDecimal::new);

  private ArgumentMatcher() {}

  /**
   * A converted argument.
   *
   * @param distance 0 if the value has the declared type; the larger, the freer the conversion
   */
  record Fitting(@Nullable Object value, int distance) {}

  /** Whether values of a type can be typed; functions cannot. */
  static boolean canBeTyped(Class<?> type) {
    return !type.getName().startsWith("java.util.function.") && type != Runnable.class;
  }

  /** Returns the value as an argument of a type, or empty if it does not fit. */
  static Optional<Fitting> as(Class<?> type, Value typed) {
    @Nullable Object value = typed.value();
    if (value == null) {
      return type.isPrimitive() ? Optional.empty() : Optional.of(new Fitting(null, 1));
    }
    if (type.isPrimitive() || (Number.class.isAssignableFrom(type) && type != Number.class)) {
      Optional<Fitting> number = value instanceof Number of ? as(type, of) : Optional.empty();
      if (number.isPresent()) {
        return number;
      }
    }
    if (type == boolean.class || type == Boolean.class) {
      return value instanceof Boolean ? Optional.of(new Fitting(value, 0)) : Optional.empty();
    }
    if (type == char.class || type == Character.class) {
      return typed.text().length() == 1
          ? Optional.of(new Fitting(typed.text().charAt(0), 2))
          : Optional.empty();
    }
    if (type == String.class) {
      return Optional.of(new Fitting(typed.text(), value instanceof String ? 0 : 3));
    }
    if (type == Set.class && value instanceof Collection<?> elements) {
      return Optional.of(new Fitting(new LinkedHashSet<>(elements), 1));
    }
    if (type.isInstance(value)) {
      return Optional.of(new Fitting(value, type == Object.class ? 4 : 1));
    }
    return type.isEnum() ? constant(type, typed.text()) : byText(type, typed.text());
  }

  private static Optional<Fitting> as(Class<?> type, Number number) {
    boolean isWhole = number instanceof Integer || number instanceof Long;
    long whole = number.longValue();
    @Nullable Object fitting =
        switch (type.getSimpleName()) {
          case "int", "Integer" -> isWhole && whole == (int) whole ? (int) whole : null;
          case "long", "Long" -> isWhole ? whole : null;
          case "short", "Short" -> isWhole && whole == (short) whole ? (short) whole : null;
          case "byte", "Byte" -> isWhole && whole == (byte) whole ? (byte) whole : null;
          case "double", "Double" -> number.doubleValue();
          case "float", "Float" -> number.floatValue();
          default -> null;
        };
    return fitting == null
        ? Optional.empty()
        : Optional.of(new Fitting(fitting, fitting.getClass() == number.getClass() ? 0 : 1));
  }

  private static Optional<Fitting> constant(Class<?> type, String text) {
    Object[] constants = type.getEnumConstants() == null ? new Object[0] : type.getEnumConstants();
    return Arrays.stream(constants)
        .filter(each -> ((Enum<?>) each).name().equalsIgnoreCase(text))
        .map(each -> new Fitting(each, 1))
        .findFirst();
  }

  private static Optional<Fitting> byText(Class<?> type, String text) {
    @Nullable Function<String, Object> parse = BY_TEXT.get(type);
    if (parse == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(new Fitting(parse.apply(text), 2));
    } catch (IllegalArgumentException | DateTimeException unfit) {
      return Optional.empty();
    }
  }
}
