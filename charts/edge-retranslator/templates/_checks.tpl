{{/* What cannot work is said here, all of it at once, and not by pods that do not start. */}}
{{- define "app.check" -}}
{{- $problems := include "edge.problems" . | fromYamlArray -}}
{{- $config := .Values.config -}}
{{- $reports := $config.reports -}}
{{- $given := and $reports.certificate $reports.key $reports.authority -}}

{{- if not $config.edge.gatewayClasses -}}
{{- $problems = append $problems "config.edge.gatewayClasses: name the GatewayClasses of your Envoy Gateways: no other Gateway is stamped" -}}
{{- end -}}
{{- if not (or $reports.service $reports.addresses) -}}
{{- $problems = append $problems "config.reports.service: name the extension servers' headless Service, as namespace/name: without their reports a lost call is never asked for again" -}}
{{- end -}}
{{- if and $reports.service (not $reports.serverName) -}}
{{- $problems = append $problems "config.reports.serverName: say which name is in the extension servers' certificate: they are reached by address" -}}
{{- end -}}
{{- if not (or .Values.certificates.client.secret $given) -}}
{{- $problems = append $problems "certificates.client.secret: name the Secret with the certificate that reports are read with, or mount a volume of your own and put its paths into config.reports.certificate, key and authority" -}}
{{- end -}}
{{- if and .Values.certificates.client.secret (or $reports.certificate $reports.key $reports.authority) -}}
{{- $problems = append $problems "certificates.client.secret and config.reports: both say where the certificate is; leave one out" -}}
{{- end -}}
{{- if eq (int $config.healthPort) (int $config.metricsPort) -}}
{{- $problems = append $problems "config.healthPort and config.metricsPort: one port cannot serve both" -}}
{{- end -}}
{{- if and (eq .Values.monitor.kind "Service") (not .Values.service.enabled) -}}
{{- $problems = append $problems "monitor.kind: a ServiceMonitor needs service.enabled; without a Service take Pod" -}}
{{- end -}}

{{- include "lifeline.failWith" (toYaml $problems) -}}
{{- end -}}
