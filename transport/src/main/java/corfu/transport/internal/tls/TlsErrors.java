package corfu.transport.internal.tls;

import corfu.transport.internal.NetworkErrors;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.NotSslRecordException;
import java.nio.channels.ClosedChannelException;
import java.security.cert.CertificateException;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;

/** Describes failures of TLS in words. */
public final class TlsErrors {

  /** An alert of the other side that it does not accept a certificate, in words of both engines. */
  private static final Pattern CERTIFICATE_ALERT =
      Pattern.compile(
          "(?:Received fatal alert: |_ALERT_)"
              + "(bad.certificate|unsupported.certificate|certificate.revoked|certificate.expired"
              + "|certificate.unknown|unknown.ca|access.denied|certificate.required)",
          Pattern.CASE_INSENSITIVE);

  private static final Pattern VERSION =
      Pattern.compile(
          "protocol.version|unsupported.protocol|wrong.version", Pattern.CASE_INSENSITIVE);

  private static final Pattern NO_CERTIFICATE =
      Pattern.compile("PEER_DID_NOT_RETURN_A_CERTIFICATE|Empty client certificate chain");

  private TlsErrors() {}

  /** Returns the innermost reason, for people of this side. */
  public static String describe(Throwable failure) {
    Optional<CertificateException> distrust = distrust(failure);
    if (distrust.isPresent()) {
      return String.valueOf(distrust.get().getMessage());
    }
    Throwable failed = withoutWrapper(failure);
    Optional<String> alert = certificateAlert(failure);
    if (alert.isPresent()) {
      return "the other side does not accept this side's certificate (" + alert.get() + ")";
    }
    if (failed instanceof NotSslRecordException) {
      return "it sent bytes that are not TLS";
    }
    if (failed instanceof ClosedChannelException) {
      return "it closed the connection";
    }
    String message = String.valueOf(failed.getMessage());
    if (failed instanceof SSLException) {
      if (NO_CERTIFICATE.matcher(message).find()) {
        return "it presented no certificate, which this server requires";
      }
      return VERSION.matcher(message).find()
          ? "the two sides have no version of TLS in common; expected TLS 1.3"
          : message;
    }
    return NetworkErrors.describe(failed);
  }

  /** Returns whether this side does not accept the other side's certificate. */
  public static boolean isDistrust(Throwable failure) {
    return distrust(failure).isPresent();
  }

  private static Optional<CertificateException> distrust(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof CertificateException distrust) {
        return Optional.of(distrust);
      }
    }
    return Optional.empty();
  }

  /** Returns whether the other side does not speak TLS. */
  public static boolean isPlain(Throwable failure) {
    return withoutWrapper(failure) instanceof NotSslRecordException;
  }

  /** Returns the alert by which the other side refused this side's certificate, if it is one. */
  public static Optional<String> certificateAlert(Throwable failure) {
    Throwable failed = withoutWrapper(failure);
    if (!(failed instanceof SSLException)) {
      return Optional.empty();
    }
    Matcher alert = CERTIFICATE_ALERT.matcher(String.valueOf(failed.getMessage()));
    return alert.find()
        ? Optional.of(alert.group(1).toLowerCase(Locale.ROOT).replaceAll("[^a-z]", " "))
        : Optional.empty();
  }

  private static Throwable withoutWrapper(Throwable failure) {
    Throwable cause = failure.getCause();
    return failure instanceof DecoderException && cause != null ? cause : failure;
  }
}
