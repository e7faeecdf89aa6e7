package web

// EchartsScript returns Apache ECharts as the pages embed it, for pages of other
// packages. Its notices are in assets/echarts.
func EchartsScript() (string, error) {
	a, err := loadAssets()
	if err != nil {
		return "", err
	}
	return a.echarts.Text, nil
}
