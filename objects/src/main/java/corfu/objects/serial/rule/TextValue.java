package corfu.objects.serial.rule;

import corfu.objects.serial.SerializationException;
import java.net.URI;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Currency;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Simple values of the JDK that are written as their texts.
 *
 * @param code in the bytes; never given to another
 */
public record TextValue(
    int code, Class<?> type, Function<Object, String> text, Function<String, Object> parse) {

  private static final TextValue[] ALL = {
    new TextValue(0, LocalDate.class, Object::toString, LocalDate::parse),
    new TextValue(1, LocalTime.class, Object::toString, LocalTime::parse),
    new TextValue(2, LocalDateTime.class, Object::toString, LocalDateTime::parse),
    new TextValue(3, ZonedDateTime.class, Object::toString, ZonedDateTime::parse),
    new TextValue(4, OffsetDateTime.class, Object::toString, OffsetDateTime::parse),
    new TextValue(5, OffsetTime.class, Object::toString, OffsetTime::parse),
    new TextValue(6, Period.class, Object::toString, Period::parse),
    new TextValue(7, Year.class, Object::toString, Year::parse),
    new TextValue(8, YearMonth.class, Object::toString, YearMonth::parse),
    new TextValue(9, MonthDay.class, Object::toString, MonthDay::parse),
    new TextValue(10, ZoneId.class, Object::toString, ZoneId::of),
    new TextValue(11, URI.class, Object::toString, URI::create),
    new TextValue(12, Currency.class, Object::toString, Currency::getInstance),
    new TextValue(
        13, Locale.class, locale -> ((Locale) locale).toLanguageTag(), Locale::forLanguageTag),
  };

  private static final Map<Class<?>, TextValue> BY_TYPE =
      Stream.of(ALL).collect(Collectors.toUnmodifiableMap(TextValue::type, each -> each));

  /** The classes of all of them. */
  static Stream<Class<?>> types() {
    return Stream.of(ALL).map(TextValue::type);
  }

  /** Null if values of this class are not written so. */
  public static @Nullable TextValue of(Class<?> type) {
    return BY_TYPE.get(ZoneId.class.isAssignableFrom(type) ? ZoneId.class : type);
  }

  public static TextValue coded(int code) {
    if (code < 0 || code >= ALL.length) {
      throw new SerializationException(
          "a simple value of kind " + code + " is not known: a newer version wrote it");
    }
    return ALL[code];
  }
}
