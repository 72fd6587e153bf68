package corfu.cli.object;

import com.fasterxml.jackson.core.JsonGenerator;
import corfu.cli.shell.Rendering;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Writes values as JSON; a value without a JSON form is text. */
final class JsonValues {

  private JsonValues() {}

  static void write(@Nullable Object value, JsonGenerator json) throws IOException {
    switch (value) {
      case null -> json.writeNull();
      case Boolean truth -> json.writeBoolean(truth);
      case Integer number -> json.writeNumber(number);
      case Long number -> json.writeNumber(number);
      case Short number -> json.writeNumber(number);
      case Byte number -> json.writeNumber(number);
      case Double number -> json.writeNumber(number);
      case Float number -> json.writeNumber(number);
      case BigInteger number -> json.writeNumber(number);
      case BigDecimal number -> json.writeNumber(number);
      case Optional<?> optional -> write(optional.orElse(null), json);
      case Map<?, ?> map -> {
        json.writeStartObject();
        for (Map.Entry<?, ?> entry : map.entrySet()) {
          json.writeFieldName(Rendering.of(entry.getKey()));
          write(entry.getValue(), json);
        }
        json.writeEndObject();
      }
      case Iterable<?> elements -> {
        json.writeStartArray();
        for (Object element : elements) {
          write(element, json);
        }
        json.writeEndArray();
      }
      default -> json.writeString(Rendering.of(value));
    }
  }
}
